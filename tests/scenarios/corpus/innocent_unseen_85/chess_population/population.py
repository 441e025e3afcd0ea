import torch


class Population:
    FAME = 4

    def __init__(self, members):
        self.members = members
        self.fame = []

    def judge(self, x, y):
        for m in self.members:
            m.judge(x, y)
            self.fame.append((m.score, m.ident))
        # the hall of fame has FAME places
        self.fame.sort(key=lambda e: float(e[0]))
        del self.fame[self.FAME:]

    def exploit(self):
        ranked = sorted(self.members, key=lambda m: float(m.score))
        ranked[-1].copy_from(ranked[0])

    def table(self):
        scores = torch.stack([m.score for m in self.members])
        return (f"best {scores.min():.4f} mean {scores.mean():.4f} "
                + " ".join(f"[{m.ident} lr {m.lr:.4f} {m.recent():.3f}]" for m in self.members))
