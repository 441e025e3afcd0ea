import torch

WORDS = "wind north by west fog at dawn two sails sighted bread low crew quiet rain anchor up".split()


def _encode(text):
    return [0 if c == " " else ord(c) - 96 for c in text]


def chapters(count, span, lanes, pages):
    rng = torch.Generator().manual_seed(4)
    need = pages * span + 1
    for _ in range(count):
        rows = []
        for _ in range(lanes):
            line = []
            while len(line) < need:
                word = WORDS[int(torch.randint(len(WORDS), (1,), generator=rng))]
                line += _encode(word + " ")
            rows.append(line[:need])
        book = torch.tensor(rows)
        yield (book[:, i * span:(i + 1) * span + 1] for i in range(pages))
