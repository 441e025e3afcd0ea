import torch


class Citations:
    def __init__(self, parts, per_part, feats, classes, seed):
        g = torch.Generator().manual_seed(seed)
        self.proto = torch.randn(classes, feats, generator=g)
        self.items = []
        for _ in range(parts):
            y = torch.randint(0, classes, (per_part,), generator=g)
            same = (y[:, None] == y[None, :]).float()
            a = (torch.rand(per_part, per_part, generator=g) < 0.05 + 0.2 * same).float()
            x = self.proto[y] + 1.5 * torch.randn(per_part, feats, generator=g)
            self.items.append((x, a / a.sum(1, keepdim=True).clamp_min(1), y))
        self.links = torch.randint(0, parts, (parts, 3), generator=g).tolist()

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def linked(self, i):
        return self.links[i]
