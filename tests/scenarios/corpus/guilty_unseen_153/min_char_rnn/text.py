class Vocab:
    def __init__(self, text):
        self.chars = sorted(set(text))
        self.index = {c: i for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars)

    def encode(self, s):
        return [self.index[c] for c in s]

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)


def windows(ids, length):
    p, wrapped = 0, True
    while True:
        if p + length + 1 >= len(ids):
            p, wrapped = 0, True
        yield ids[p:p + length], ids[p + 1:p + length + 1], wrapped
        wrapped = False
        p += length
