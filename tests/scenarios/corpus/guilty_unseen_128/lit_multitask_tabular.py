# gradwatch-corpus: kind=crashed
# line: lit_multitask_tabular.py:20: value = torch.as_tensor(value).detach()
# first-bad: 0
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F


class MeanOf(nn.Module):
    """Running mean over an epoch; calling it gives the value for the current batch."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(()))
        self.register_buffer("weight", torch.zeros(()))

    def update(self, value, n):
        value = torch.as_tensor(value).detach()  # <- culprit
        self.total += value * n
        self.weight += n
        return value

    def forward(self, value, n=1):
        return self.update(value, n)

    def compute(self):
        return self.total / self.weight.clamp_min(1)

    def reset(self):
        self.total.zero_()
        self.weight.zero_()


class LitModule(nn.Module):
    def configure_optimizers(self):
        raise NotImplementedError

    def training_step(self, batch, idx):
        raise NotImplementedError

    def on_train_epoch_end(self):
        pass


class ClaimsModel(LitModule):
    def __init__(self, d=12, width=32):
        super().__init__()
        self.cat = nn.EmbeddingBag(20, 8, mode="mean")
        self.trunk = nn.Sequential(nn.Linear(d + 8, width), nn.GELU(), nn.LayerNorm(width))
        self.heads = nn.ModuleDict({"freq": nn.Linear(width, 1), "severity": nn.Linear(width, 1)})
        self.tracked = nn.ModuleDict({k: MeanOf() for k in self.heads})

    def losses(self, batch):
        num, cats, freq, sev = batch
        h = self.trunk(torch.cat([num, self.cat(cats)], -1))
        yield "freq", F.poisson_nll_loss(self.heads["freq"](h).squeeze(-1), freq)
        yield "severity", F.mse_loss(self.heads["severity"](h).squeeze(-1), sev)

    def training_step(self, batch, idx):
        n = batch[0].shape[0]
        parts = {name: self.tracked[name](value, n) for name, value in self.losses(batch)}
        return {"loss": sum(parts.values()), **parts}

    def on_train_epoch_end(self):
        print({k: round(m.compute().item(), 4) for k, m in self.tracked.items()})
        for m in self.tracked.values():
            m.reset()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=2e-3)


class Runner:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs
        self.global_step = 0

    def fit(self, module, data):
        opt = module.configure_optimizers()
        for _ in range(self.max_epochs):
            for i, batch in enumerate(data):
                out = module.training_step(batch, i)
                opt.zero_grad()
                out["loss"].backward()
                opt.step()
                self.global_step += 1
            module.on_train_epoch_end()


if __name__ == "__main__":
    torch.manual_seed(42)
    batches = []
    for _ in range(30):
        num = torch.randn(32, 12)
        cats = torch.randint(0, 20, (32, 3))
        batches.append((num, cats, torch.poisson(torch.exp(0.3 * num[:, 0])), num[:, 1:4].sum(-1)))
    Runner(max_epochs=10).fit(ClaimsModel(), batches)
