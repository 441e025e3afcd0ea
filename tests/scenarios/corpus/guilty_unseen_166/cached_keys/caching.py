import functools


def per_batch_of_docs(fn):
    """Memoise a method on the identity of the document set it is called with."""
    store = {}

    @functools.wraps(fn)
    def wrapper(self, docs):
        key = docs.set_id
        if key not in store:
            store[key] = fn(self, docs)  # <- culprit
        return store[key]

    wrapper.clear = store.clear
    return wrapper
