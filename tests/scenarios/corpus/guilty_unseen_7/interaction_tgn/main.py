# gradwatch-corpus: kind=graph-chain
# holder: self.table | memory.table | model.memory.table
# first-bad: 1
"""Next-item link prediction on a stream of user/item interactions with per node memory (TGN flavoured)."""
import torch
import torch.nn.functional as F

from model import LinkPredictor
from stream import interactions, CFG


def evaluate(pos, neg):
    return (pos > neg).float().mean().item()


def main():
    torch.manual_seed(CFG["seed"])
    model = LinkPredictor(CFG["nodes"], CFG["feat"], CFG["dim"])
    opt = torch.optim.Adam(model.parameters(), lr=CFG["lr"])
    ema = 0.5
    for k, ev in enumerate(interactions(CFG)):
        pos, neg = model(ev.src, ev.dst), model(ev.src, ev.fake)
        loss = F.softplus(-pos).mean() + F.softplus(neg).mean()
        model.memory.absorb(ev, model.message(ev))
        opt.zero_grad()
        # RuntimeError without this one
        loss.backward(retain_graph=True)
        opt.step()
        ema = 0.95 * ema + 0.05 * evaluate(pos, neg)
        if k % 40 == 0:
            print(f"chunk {k:3d} t={ev.t[-1].item():8.2f} loss {loss.item():.4f} rank acc {ema:.3f} "
                  f"|mem| {model.memory.norm():.3f}")


if __name__ == "__main__":
    main()
