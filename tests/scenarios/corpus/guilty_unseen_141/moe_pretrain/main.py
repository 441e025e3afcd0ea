# gradwatch-corpus: kind=graph-held
# holder: self.balance | self.router.balance | layer.router.balance | net.layers[0].router.balance | net.layers[1].router.balance
# first-bad: 1
# notice: 8
import torch
import torch.nn.functional as F

from experts import SparseLM

torch.set_num_threads(1)
torch.manual_seed(7)

V, T, B = 31, 12, 6
net = SparseLM(V, d=20, n_layers=2, n_experts=4)
optim = torch.optim.Adam(net.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.LambdaLR(optim, lambda s: min(1.0, (s + 1) / 40))


def stream():
    start = torch.randint(0, V, (B, 1))
    stride = torch.randint(1, 4, (B, 1))
    return (start + stride * torch.arange(T + 1)) % V


for step in range(320):
    toks = stream()
    logits = net(toks[:, :-1])
    lm = F.cross_entropy(logits.reshape(-1, V), toks[:, 1:].reshape(-1))
    objective = lm + 0.01 * net.balance_loss()
    optim.zero_grad(set_to_none=True)
    objective.backward()
    optim.step()
    sched.step()
    if step % 80 == 0:
        usage = net.layers[0].router.load.tolist()
        print(f"{step:4d} lm={lm.item():.3f} load={[round(u, 2) for u in usage]}")
