# gradwatch-corpus: kind=graph-chain
# holder: self._anchor | trainer._anchor | self._anchor[name] | trainer._anchor[name] | AnchorMixin._anchor
# first-bad: 1
"""Fine-tunes a small message-passing net on binding affinity, with an L2-SP style pull of the readout towards
a slowly moving anchor. Trainer behaviours are mixins so that ablations are one-line class definitions."""
import torch
import torch.nn.functional as F
from torch import nn


class MessagePassing(nn.Module):
    def __init__(self, atom_types=9, dim=32, rounds=2):
        super().__init__()
        self.atoms = nn.Embedding(atom_types, dim)
        self.msg = nn.ModuleList(nn.Linear(dim, dim) for _ in range(rounds))
        self.readout = nn.Linear(dim, 1)

    def forward(self, types, adj):
        h = self.atoms(types)
        for lin in self.msg:
            h = h + F.silu(lin(adj @ h))
        return self.readout(h.mean(1)).squeeze(-1)


class MoleculeStream:
    def __init__(self, atoms=14, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.atoms = atoms
        self.weight = torch.randn(9, generator=self.gen)

    def __call__(self, n):
        types = torch.randint(0, 9, (n, self.atoms), generator=self.gen)
        bonds = (torch.rand(n, self.atoms, self.atoms, generator=self.gen) < 0.15).float()
        adj = ((bonds + bonds.transpose(1, 2)) > 0).float() + torch.eye(self.atoms)
        adj = adj / adj.sum(-1, keepdim=True)
        field = self.weight[types]
        y = (field * (adj @ field.unsqueeze(-1)).squeeze(-1)).mean(1)
        return types, adj, y + 0.05 * torch.randn(n, generator=self.gen)


class BaseTrainer:
    def __init__(self, model, stream, lr=2e-3, **options):
        self.model, self.stream, self.options = model, stream, options
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.setup()

    def setup(self):
        pass

    def regulariser(self):
        return 0.0

    def after_update(self, step):
        pass

    def task_loss(self, n=32):
        types, adj, y = self.stream(n)
        return F.smooth_l1_loss(self.model(types, adj), y)

    def update(self, step):
        task = self.task_loss()
        loss = task + self.regulariser()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.after_update(step)
        return task.item()


class AnchorMixin:
    """Penalises the distance to an exponential moving average of the chosen weights."""

    def setup(self):
        super().setup()
        prefix = self.options.get("anchored", "readout")
        self._anchored = {n: p for n, p in self.model.named_parameters() if n.startswith(prefix)}
        self._anchor = {n: p.detach().clone() for n, p in self._anchored.items()}

    def regulariser(self):
        pull = self.options.get("pull", 0.05)
        distance = sum((p - self._anchor[n]).square().sum() for n, p in self._anchored.items())
        return super().regulariser() + pull * distance

    def after_update(self, step):
        super().after_update(step)
        for name, p in self._anchored.items():
            self._anchor[name] = torch.lerp(self._anchor[name], p, 0.02)  # <- culprit


class WarmupMixin:
    def setup(self):
        super().setup()
        warm = self.options.get("warmup", 25)
        self._sched = torch.optim.lr_scheduler.LambdaLR(self.opt, lambda s: min(1.0, (s + 1) / warm))

    def after_update(self, step):
        super().after_update(step)
        self._sched.step()


class AffinityTrainer(AnchorMixin, WarmupMixin, BaseTrainer):
    pass


def main(steps=240):
    torch.manual_seed(31)
    trainer = AffinityTrainer(MessagePassing(), MoleculeStream(seed=31), pull=0.05, warmup=20)
    window = 0.0
    for step in range(steps):
        window += trainer.update(step)
        if (step + 1) % 60 == 0:
            print(f"{step + 1:4d}: smooth-l1 {window / 60:.4f}")
            window = 0.0


if __name__ == "__main__":
    main()
