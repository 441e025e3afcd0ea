import random


ALPHABET = "abcdefghijklmnopqrstuvwxyz ."


def babble(seed, span):
    """Endless text from a tiny grammar, cut in spans of token ids; a flag tells a new document."""
    rng = random.Random(seed)
    words = ["".join(rng.choices(ALPHABET[:26], k=rng.randint(2, 6))) for _ in range(30)]
    buf, doc_left = [], 4000
    while True:
        first = doc_left == 4000
        while len(buf) < span + 1:
            buf += [ALPHABET.index(c) for c in rng.choice(words) + rng.choice("   .")]
        doc_left -= 1
        if doc_left == 0:
            doc_left = 4000
        yield buf[:span + 1], first
        del buf[:span]
