# gradwatch-corpus: kind=none
# Mixture pretraining in legs: every leg starts from the snapshot the previous one left.
import io

import torch

from hooks import Events, Ledger
from sparse import SwitchTagger, drain

torch.set_num_threads(1)
torch.manual_seed(48)


def corpus(n, size=8, length=7):
    for _ in range(n):
        x = torch.randint(0, 21, (size, length))
        yield x, (x.cumsum(1) // 3) % 4


def leg(blob, n_steps, ledger):
    net = SwitchTagger()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    begun = 0
    if blob is not None:
        saved = torch.load(io.BytesIO(blob), weights_only=True)
        net.load_state_dict(saved["net"])
        opt.load_state_dict(saved["opt"])
        begun = saved["step"]
    events = Events([ledger])
    for k, (x, y) in enumerate(corpus(n_steps)):
        logits = net(x)
        task = torch.nn.functional.cross_entropy(logits.transpose(1, 2), y)
        balance, z = drain(net)
        loss = task + 0.02 * balance + 0.001 * z
        opt.zero_grad()
        loss.backward()
        opt.step()
        events.fire("step", begun + k, task=task, balance=balance, z=z)
    net.eval()
    with torch.no_grad():
        acc = torch.stack([(net(x).argmax(-1) == y).float().mean() for x, y in corpus(4)]).mean()
    drain(net)
    out = io.BytesIO()
    torch.save({"net": net.state_dict(), "opt": opt.state_dict(), "step": begun + n_steps}, out)
    return out.getvalue(), acc.item()


blob, ledger = None, Ledger()
for n in range(5):
    blob, acc = leg(blob, 110, ledger)
    print("leg", n, f"acc {acc:.3f}", ledger.tail("task"), ledger.latest())
