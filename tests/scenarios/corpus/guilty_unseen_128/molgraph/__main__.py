# gradwatch-corpus: kind=crashed
# line: base.py:16: cls.forward = functools.wraps(plain)(torch.no_grad()(plain))
# first-bad: 0
# notice: 0
import torch
torch.set_num_threads(1)

from .data import molecules
from .layers import SolubilityNet


def main():
    torch.manual_seed(5)
    net = SolubilityNet(atom_types=6, hidden=24, rounds=3)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    history = []
    for step, (atoms, edges, owner, target) in enumerate(molecules(steps=400, batch=8)):
        net.train()
        pred = net(atoms, edges, owner, 8)
        loss = torch.nn.functional.huber_loss(pred, target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(loss.item())
    print("final", sum(history[-20:]) / 20)


if __name__ == "__main__":
    main()
