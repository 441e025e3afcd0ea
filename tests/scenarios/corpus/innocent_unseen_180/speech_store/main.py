# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from model import FrameTagger, Utterances
from stores import RingStore, Tee, TtlStore

STEPS = 500


class Monitor:
    def __init__(self):
        self.hidden = RingStore(24)
        self.recent = TtlStore(ttl=40)
        self.losses = Tee(RingStore(10), self.recent)

    def record(self, h, loss):
        self.hidden.put(h)
        self.losses.put(loss)
        self.losses.tick()

    def drift(self):
        hs = list(self.hidden.items())
        if len(hs) < 2:
            return 0.0
        with torch.no_grad():
            return (hs[-1].mean(0) - hs[0].mean(0)).norm().item()

    def summary(self):
        vals = torch.tensor([v.item() for v in self.recent.items()])
        return vals.mean().item(), len(vals)


def main():
    torch.manual_seed(3)
    data = Utterances(seed=8)
    model = FrameTagger()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    monitor = Monitor()
    for step in range(STEPS):
        x, y = data.sample()
        logits, h = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        monitor.record(h, loss)
        if step % 100 == 99:
            mean, n = monitor.summary()
            print(f"step {step + 1} loss {mean:.3f} over {n} drift {monitor.drift():.3f}")


if __name__ == "__main__":
    main()
