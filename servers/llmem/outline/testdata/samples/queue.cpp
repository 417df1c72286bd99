#include <vector>

namespace store {
namespace detail {
int hidden();
}

template <typename T, int N = 4>
class Queue final : public Base<T> {
public:
    using value_type = T;
    explicit Queue(int size) : size_(size) {}
    virtual ~Queue() = default;
    Queue(const Queue &) = delete;

    void add(const T &value);
    bool empty() const noexcept { return size_ == 0; }
    T &operator[](int i);
    Queue &operator=(const Queue &other);
    operator bool() const { return !empty(); }
    static Queue make();

    struct Node {
        T value;
        Node *next = nullptr;
    };

    enum class State : unsigned char { Open, Closed };

private:
    int size_, used_ = 0;
    static constexpr int kMax = 10;
};

template <typename T, int N>
void Queue<T, N>::add(const T &value) {
    auto twice = [](int x) { return 2 * x; };
    twice(1);
}

template <>
struct Traits<int> {
    static const bool value = true;
};

concept_like auto f = 1;
} // namespace store

struct Plain {
    int a;
};

union Either { int i; float f; };

typedef unsigned long ulong_t;
constexpr int kLimit = 3;
int global_value;

int store::detail::hidden() { return 1; }

extern "C" {
void c_function(void) {}
}

template <typename T>
concept Small = sizeof(T) <= 8;

auto trailing(int x) -> int { return x; }
