# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from lm import CharGRU, repackage
from stream import Lanes
from stats import Ema, LossWindow

BPTT, ACCUM = 6, 2


def main(segments=440):
    torch.manual_seed(1)
    lanes = Lanes(rows=8, vocab=14, seed=3)
    model = CharGRU(14, 24)
    opt = torch.optim.Adam(model.parameters(), 3e-3)
    hidden = model.initial(8)
    ema, window = Ema(0.98), LossWindow(25)
    snapshots = []
    opt.zero_grad()
    for i in range(segments):
        x, y = lanes.next(BPTT)
        hidden = repackage(hidden)
        logits, hidden = model(x, hidden)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        drift = hidden[0].pow(2).mean()
        (loss / ACCUM + 1e-3 * drift).backward()
        window.push(loss)
        ema.push(loss.item())
        if (i + 1) % ACCUM == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            opt.zero_grad()
        if (i + 1) % 20 == 0:
            snapshots.append(tuple(h.detach().mean(0) for h in hidden))
        if (i + 1) % 100 == 0:
            print(f"{i + 1} ema {ema.value:.3f} window {window.mean():.3f} snaps {len(snapshots)}")


if __name__ == "__main__":
    main()
