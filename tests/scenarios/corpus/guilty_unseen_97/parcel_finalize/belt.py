import torch


class Parcels:
    """One camera frame's worth of parcels."""

    def __init__(self, uid, shots, labels):
        self.uid = uid
        self.shots = shots
        self.labels = labels


class Belt:
    """Hands out frames; keeps them all until the shift ends, for the customs audit."""

    def __init__(self, seed, rounds, per_frame=12):
        self.gen = torch.Generator().manual_seed(seed)
        self.rounds = rounds
        self.per_frame = per_frame
        self.standing = {}

    def __iter__(self):
        for uid in range(self.rounds):
            labels = torch.randint(0, 3, (self.per_frame,), generator=self.gen)
            shots = 0.4 * torch.randn(self.per_frame, 1, 8, 8, generator=self.gen)
            for k, lab in enumerate(labels.tolist()):
                shots[k, 0, lab * 2:lab * 2 + 3, 1:6 - lab] += 1.0
            frame = self.standing[uid] = Parcels(uid, shots, labels)
            yield frame

    def clear(self):
        self.standing.clear()
