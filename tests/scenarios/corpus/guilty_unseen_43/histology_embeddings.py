# gradwatch-corpus: kind=memory-climb
# holder: h.snapshots | self.snapshots | recorder.snapshots | self.recorder.snapshots | cb.snapshots
# first-bad: 1
# notice: 100
import torch
import torch.nn.functional as F
from torch import nn

CALLBACKS = {}


def callback(cls):
    CALLBACKS[cls.__name__] = cls
    return cls


class Hook:
    def on_batch(self, step, feats, labels, loss):
        ...

    def on_end(self):
        ...


@callback
class LossPrinter(Hook):
    def __init__(self, every=50):
        self.every, self.avg = every, None

    def on_batch(self, step, feats, labels, loss):
        self.avg = loss if self.avg is None else 0.95 * self.avg + 0.05 * loss
        if step % self.every == 0:
            print(f"{step:5d}  loss {self.avg:.4f}")


@callback
class EmbeddingRecorder(Hook):
    """Embeddings with labels, for the class-spread table at the end."""

    def __init__(self, show=3):
        self.show = show
        self.snapshots = {}

    def on_batch(self, step, feats, labels, loss):
        self._keep(step, feats.detach().clone(), labels)  # <- culprit

    def _keep(self, step, feats, labels):
        self.snapshots[step] = (feats, labels)  # <- culprit

    def on_end(self):
        for step in sorted(self.snapshots)[-self.show:]:
            f, y = self.snapshots[step]
            spread = [f[y == c].std(0).mean().item() for c in range(4)]
            print(f"step {step} spread " + " ".join(f"{s:.3f}" for s in spread))


class TileNet(nn.Module):
    def __init__(self, d_in=48, d_feat=512, classes=4):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(), nn.Linear(64, d_feat), nn.LayerNorm(d_feat))
        self.cls = nn.Linear(d_feat, classes)

    def forward(self, x):
        f = self.embed(x)
        return f, self.cls(f)


class TileStream:
    def __init__(self, steps, batch, seed=0):
        self.steps, self.batch = steps, batch
        self.g = torch.Generator().manual_seed(seed)
        self.proto = torch.randn(4, 48, generator=self.g)

    def __iter__(self):
        for _ in range(self.steps):
            y = torch.randint(4, (self.batch,), generator=self.g)
            yield self.proto[y] + 1.5 * torch.randn(self.batch, 48, generator=self.g), y


class Engine:
    def __init__(self, net, hooks, lr=1e-3):
        self.net = net
        self.hooks = [CALLBACKS[name](**kw) for name, kw in hooks.items()]
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def fit(self, stream):
        for step, (x, y) in enumerate(stream, 1):
            feats, logits = self.net(x)
            loss = F.cross_entropy(logits, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for h in self.hooks:
                h.on_batch(step, feats, y, loss.item())
        for h in self.hooks:
            h.on_end()


if __name__ == "__main__":
    torch.manual_seed(0)
    engine = Engine(TileNet(), {"LossPrinter": {"every": 50}, "EmbeddingRecorder": {}})
    engine.fit(TileStream(steps=250, batch=256))
