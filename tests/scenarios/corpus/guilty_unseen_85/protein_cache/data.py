import random

import torch

ALPHABET = "ACDEFGHIKLMNPQRSTVWY"


def peptides(n, length=14):
    """Random peptides; helix propensity decides the label of every residue."""
    propensity = {a: random.gauss(0, 1) for a in ALPHABET}
    items = []
    for i in range(n):
        seq = "".join(random.choice(ALPHABET) for _ in range(length))
        raw = [propensity[a] for a in seq]
        smooth = [sum(raw[max(0, j - 1):j + 2]) for j in range(length)]
        label = torch.tensor([0 if s < -0.8 else (2 if s > 0.8 else 1) for s in smooth])
        codes = torch.tensor([ALPHABET.index(a) for a in seq])
        items.append((codes, label))
    return items
