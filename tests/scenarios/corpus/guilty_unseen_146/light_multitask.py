# gradwatch-corpus: kind=graph-held
# holder: self.smooth["depth"] | self.smooth["normal"] | self.smooth | module.smooth["depth"] | module.smooth["normal"] | module.smooth
# first-bad: 1
# notice: 8
# A "poor man's lightning" since I can't install lightning on the lab machine.
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.set_num_threads(1)


class LightModule(nn.Module):
    def training_step(self, batch, batch_idx):
        raise NotImplementedError

    def configure_optimizers(self):
        raise NotImplementedError

    def log(self, k, v):
        self.logged[k] = float(v)


class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, module, loader):
        module.logged = {}
        opt = module.configure_optimizers()
        for ep in range(self.max_epochs):
            for i, batch in enumerate(loader):
                loss = module.training_step(batch, i)
                opt.zero_grad()
                loss.backward()
                opt.step()
            if ep % 5 == 0:
                print(ep, {k: round(v, 4) for k, v in module.logged.items()})


class DepthAndNormal(LightModule):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv1d(2, 8, 3, padding=1), nn.ELU(), nn.Conv1d(8, 8, 3, padding=1), nn.ELU())
        self.depth = nn.Conv1d(8, 1, 1)
        self.normal = nn.Conv1d(8, 2, 1)
        self.smooth = {}

    def weight_of(self, task, value):
        prev = self.smooth.get(task)
        if prev is None:
            self.smooth[task] = value
        else:
            self.smooth[task] = 0.95 * prev + 0.05 * value  # <- culprit
        return 1.0 / (self.smooth[task].detach() + 1e-4)

    def training_step(self, batch, batch_idx):
        rgb, d, n = batch
        h = self.trunk(rgb)
        ld = F.smooth_l1_loss(self.depth(h), d)
        ln = (1 - F.cosine_similarity(self.normal(h), n, dim=1)).mean()
        self.log('depth', ld)
        self.log('normal', ln)
        return self.weight_of('depth', ld) * ld + self.weight_of('normal', ln) * ln

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=2e-3)


def scanlines(n=16, w=20):
    g = torch.Generator().manual_seed(3)
    out = []
    for _ in range(n):
        d = torch.cumsum(torch.randn(4, 1, w, generator=g) * .2, 2)
        slope = torch.diff(d, dim=2, append=d[:, :, -1:])
        nrm = F.normalize(torch.cat([-slope, torch.ones_like(slope)], 1), dim=1)
        rgb = torch.cat([d + .1 * torch.randn(d.shape, generator=g), slope], 1)
        out.append((rgb, d, nrm))
    return out


if __name__ == '__main__':
    torch.manual_seed(0)
    MiniTrainer(16).fit(DepthAndNormal(), scanlines())
