import torch


class Identities:
    def __init__(self, n_images, n_ids, dim, seed):
        g = torch.Generator().manual_seed(seed)
        self.centers = torch.randn(n_ids, dim, generator=g)
        self.pid = torch.randint(0, n_ids, (n_images,), generator=g)
        self.noise = torch.randn(n_images, dim, generator=g) * 1.2
        self.members = {}
        for i, p in enumerate(self.pid.tolist()):
            self.members.setdefault(p, []).append(i)

    def __len__(self):
        return self.pid.numel()

    def __getitem__(self, idx):
        pid = self.pid[idx]
        return self.centers[pid] + self.noise[idx], pid
