import torch

SCALE = [0, 2, 4, 5, 7, 9, 11, 12, 14, 16, 17, 19]


def melody_stream(n_voices, length, seed):
    """Random walks on a major scale, with repeated motifs"""
    g = torch.Generator().manual_seed(seed)
    rows = []
    for _ in range(n_voices):
        pos = int(torch.randint(0, len(SCALE), (1,), generator=g))
        notes = []
        motif = []
        while len(notes) < length:
            if motif and torch.rand(1, generator=g).item() < 0.3:
                notes.extend(motif)
            move = int(torch.randint(-2, 3, (1,), generator=g))
            pos = max(0, min(len(SCALE) - 1, pos + move))
            notes.append(SCALE[pos])
            motif = notes[-4:]
        rows.append(torch.tensor(notes[:length]))
    return torch.stack(rows)
