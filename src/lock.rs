//! What locks guard, also where a thread panicked while it held one: whoever uses this leaves nothing half-done behind a lock.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// What a mutex guards.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a mutex guards that nobody else can hold.
pub fn own<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// What a lock guards, to be read.
pub fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

/// What a lock guards, to be changed.
pub fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn what_a_panic_left_is_there() {
        let (mut mutex, lock) = (Arc::new(Mutex::new(1)), Arc::new(RwLock::new(1)));
        let both = (Arc::clone(&mutex), Arc::clone(&lock));
        let broken = thread::spawn(move || {
            let (mut first, mut second) = (locked(&both.0), write(&both.1));
            (*first, *second) = (2, 2);
            panic!("as it must");
        });
        assert!(broken.join().is_err());
        assert!(mutex.is_poisoned() && lock.is_poisoned());
        *write(&lock) += 1;
        assert_eq!((*locked(&mutex), *read(&lock)), (2, 3));
        assert_eq!(*own(Arc::get_mut(&mut mutex).unwrap()), 2);
    }
}
