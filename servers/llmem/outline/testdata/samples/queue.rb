require 'set'

module Store
  VERSION = "1.0"

  # Keeps items.
  class Queue < Base
    include Enumerable
    attr_reader :size, :items
    attr_accessor :name

    MAX = 10

    def initialize(size)
      @size = size
    end

    def self.open(path)
      new(path)
    end

    class << self
      def close; end
    end

    def empty? = size.zero?

    def each(&block)
      items.each do |i|
        yield i
      end
    end

    def <<(item)
      self
    end

    def name=(value)
      @name = value
    end

    private

    def hidden; end

    define_method(:dynamic) { 1 }
    alias_method :add, :<<
  end

  class Error < StandardError; end
  Point = Struct.new(:x, :y) do
    def length
      1
    end
  end
end

class Store::Nested
  def m; end
end

def top_level(a, b = 1)
  a + b
end
