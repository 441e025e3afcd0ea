import pickle


class Journal:
    """Collects the records of `every` steps and appends them to a file."""

    def __init__(self, path, every):
        self.path = path
        self.every = every
        self.pending = []
        self.index = []

    def __enter__(self):
        self.file = open(self.path, "w+b")
        return self

    def __exit__(self, *exc):
        self.flush()
        self.file.close()

    def record(self, step, loss, **tensors):
        self.pending.append((step, loss, {k: t.numpy() for k, t in tensors.items()}))
        if len(self.pending) >= self.every:
            self.flush()

    def flush(self):
        self.file.seek(0, 2)
        for step, loss, arrays in self.pending:
            self.index.append((step, loss, self.file.tell()))
            pickle.dump(arrays, self.file, protocol=5)
        self.file.flush()
        self.pending = []

    def read(self, step):
        self.flush()
        self.file.seek(dict((s, at) for s, _, at in self.index)[step])
        return pickle.load(self.file)

    def megabytes(self):
        return self.file.tell() / 2 ** 20
