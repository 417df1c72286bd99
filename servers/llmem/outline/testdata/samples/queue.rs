//! A queue.
use std::fmt;

mod inner {
    pub fn helper() {}
}
mod other;

pub const MAX: usize = 10;
static mut COUNT: u32 = 0;

/// Keeps items.
#[derive(Debug, Clone)]
pub struct Queue<T> {
    items: Vec<T>,
    pub size: usize,
}

pub struct Unit;
struct Tuple(i32, pub String);

pub enum State {
    Open,
    Closed { code: i32 },
    Failed(String),
}

union Number {
    i: i32,
    f: f32,
}

pub type Result<T> = std::result::Result<T, Error>;

pub trait Store: fmt::Debug {
    const NAME: &'static str;
    type Item;
    fn add(&mut self, item: Self::Item) -> bool;
    fn len(&self) -> usize {
        0
    }
}

impl<T: Clone> Queue<T> {
    pub const LIMIT: usize = 5;

    /// Makes a queue.
    pub fn new() -> Self {
        fn nested() {}
        let f = |x: i32| x + 1;
        Queue { items: vec![], size: 0 }
    }

    async unsafe fn run(&self) {}
}

impl<T> fmt::Display for Queue<T>
where
    T: fmt::Display,
{
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Ok(())
    }
}

#[macro_export]
macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

extern "C" {
    fn c_call(x: i32) -> i32;
}

#[cfg(test)]
mod tests {
    #[test]
    fn works() {}
}
