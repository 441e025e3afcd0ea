# gradwatch-corpus: kind=graph-held
# holder: watch.incidents | self.incidents | watch
# first-bad: 1
# notice: 8
import torch
from torch import nn

from assays import AssayStream
from watchdog import Incident, Watchdog

SEED = 5
ROUNDS = 110


class KineticsNet(nn.Module):
    """log kcat from a one-hot residue window and the substrate fingerprint."""

    def __init__(self, residues: int = 20, window: int = 9, bits: int = 16):
        super().__init__()
        self.window = nn.Sequential(nn.Flatten(), nn.Linear(residues * window, 48), nn.GELU())
        self.substrate = nn.Linear(bits, 48)
        self.head = nn.Sequential(nn.LayerNorm(48), nn.Linear(48, 24), nn.GELU(), nn.Linear(24, 1))

    def forward(self, seq, fp):
        return self.head(self.window(seq) * torch.sigmoid(self.substrate(fp))).squeeze(-1)


def train_round(net, opt, watch, batch, rnd):
    seq, fp, y = batch
    pred = net(seq, fp)
    err = (pred - y).abs()
    loss = nn.functional.smooth_l1_loss(pred, y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    watch.check(rnd, err.max().item())
    return loss.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    net = KineticsNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    watch = Watchdog(limit=1.6)
    stream = AssayStream(SEED)

    losses = []
    for rnd in range(ROUNDS):
        try:
            losses.append(train_round(net, opt, watch, stream.draw(24), rnd))
        except Incident as inc:
            watch.file(inc)  # <- culprit
    tail = losses[-10:] or [float("nan")]
    print(f"quiet rounds {len(losses)}  tail loss {sum(tail) / len(tail):.3f}")
    print(watch.summary())


if __name__ == "__main__":
    main()
