# gradwatch-corpus: kind=none
"""MAML for dose-response curves: adapt to a new compound from five wells."""
import torch
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(90210)

INNER_LR = 0.1
INNER_STEPS = 2
TASKS = 2
OUTER = 300


def compound():
    """Hill curve with its own EC50, slope and top."""
    ec50 = torch.empty(1).uniform_(-1.5, 1.5)
    slope = torch.empty(1).uniform_(1.0, 3.0)
    top = torch.empty(1).uniform_(0.6, 1.4)

    def wells(n):
        logc = torch.empty(n, 1).uniform_(-3, 3)
        resp = top * torch.sigmoid(slope * (logc - ec50))
        return logc, resp + 0.02 * torch.randn(n, 1)

    return wells


net = torch.nn.Sequential(
    torch.nn.Linear(1, 16), torch.nn.Tanh(),
    torch.nn.Linear(16, 16), torch.nn.Tanh(),
    torch.nn.Linear(16, 1),
)
# per-layer inner rates are learned as well (Meta-SGD)
rates = {n: torch.nn.Parameter(torch.tensor(INNER_LR)) for n, _ in net.named_parameters()}
outer = torch.optim.Adam(list(net.parameters()) + list(rates.values()), lr=3e-3)


def adapt(x, y, differentiable=True):
    fast = dict(net.named_parameters())
    trace = []
    for _ in range(INNER_STEPS):
        loss = F.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=differentiable)
        fast = {n: w - rates[n] * g for (n, w), g in zip(fast.items(), grads)}
        trace.append(loss.item())
    return fast, trace


history = []
for it in range(OUTER):
    outer.zero_grad()
    total = 0.0
    for _ in range(TASKS):
        wells = compound()
        fast, trace = adapt(*wells(5))
        xq, yq = wells(10)
        query = F.mse_loss(functional_call(net, fast, (xq,)), yq) / TASKS
        query.backward()
        total += query.item()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    outer.step()
    history.append({"iter": it, "query": total, "support": trace})
    if (it + 1) % 50 == 0:
        recent = [h["query"] for h in history[-50:]]
        print(f"{it + 1:4d}  query mse {sum(recent) / len(recent):.4f}  "
              f"first-layer rate {rates['0.weight'].item():.3f}")

wells = compound()
fast, trace = adapt(*wells(5), differentiable=False)
print("new compound, support loss per inner step:", [round(t, 4) for t in trace])
