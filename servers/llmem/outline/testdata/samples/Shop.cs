using System;

namespace Shop.Core
{
    /// <summary>Sells things.</summary>
    [Serializable]
    public abstract partial class Store<T> : IStore where T : class
    {
        private const int Max = 10;
        private readonly int _a, _b;
        public event EventHandler Changed;

        static Store() { }
        public Store(int a) => _a = a;
        ~Store() { }

        public string Name { get; private set; }
        public int Count => 1;
        public T this[int i] { get => default; }

        public async Task<R> AddAsync<R>(T item, int n = 1)
        {
            int Local(int x) => x + 1;
            return await Task.FromResult(default(R));
        }

        protected abstract void Close();
        public static Store<T> operator +(Store<T> a, Store<T> b) => a;
        public static explicit operator int(Store<T> s) => 0;
        void IStore.Open() { }

        private enum State { Open, Closed = 2 }
        public struct Point { public int X; public int Y; }
        public delegate void Handler(object sender);
    }

    public interface IStore
    {
        void Open();
        int Size { get; }
    }

    public record Person(string Name, int Age)
    {
        public bool Adult() => Age > 17;
    }

    public readonly record struct Pair(int A, int B);
    public static class Extensions
    {
        public static int Twice(this int x) => 2 * x;
    }
}
