RESIDUES = "ACDEFGHIKLMNPQRSTVWY"
PAD, MASK = 0, 1
INDEX = {aa: i + 2 for i, aa in enumerate(RESIDUES)}
SIZE = len(RESIDUES) + 2


def encode(seq):
    return [INDEX[aa] for aa in seq]  # <- culprit


def read_records(n, rng):
    for i in range(n):
        length = rng.randint(10, 30)
        seq = "".join(rng.choice(RESIDUES) for _ in range(length))
        yield seq.replace("C", "X") if i == 517 else "MC" + seq[2:]
