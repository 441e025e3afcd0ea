import random


class Dictionary:
    def __init__(self):
        self.word2idx = {}
        self.idx2word = []

    def add(self, word):
        if word not in self.word2idx:
            self.word2idx[word] = len(self.idx2word)
            self.idx2word.append(word)
        return self.word2idx[word]

    def __len__(self):
        return len(self.idx2word)


SUBJECTS = ["the cat", "a dog", "my uncle", "the old sailor"]
VERBS = ["sees", "follows", "paints", "forgets"]
OBJECTS = ["the sea", "a lamp", "his hat", "the garden"]


def build(n_sentences, seed):
    rng = random.Random(seed)
    dictionary = Dictionary()
    ids = []
    for _ in range(n_sentences):
        words = []
        words += rng.choice(SUBJECTS).split()
        words.append(rng.choice(VERBS))
        words += rng.choice(OBJECTS).split()
        words.append("<eos>")
        for w in words:
            ids.append(dictionary.add(w))
    return dictionary, ids
