# gradwatch-corpus: kind=none
"""GradNorm for two tasks (depth and normals from the same features), ported from the TensorFlow code of the paper;
I have written the balancing out by hand because I did not trust my understanding of it."""
import torch
import torch.nn as nn

torch.manual_seed(21)
torch.set_num_threads(1)

D_IN, D_HID = 24, 64
ALPHA = 1.2
STEPS = 500
history = {"depth": [], "normal": [], "w_depth": [], "w_normal": []}
initial = None
A_depth = torch.randn(D_IN, 1)
A_norm = torch.randn(D_IN, 3)


def get_batch(n=48):
    x = torch.randn(n, D_IN)
    depth = (x @ A_depth).abs() * 5
    normal = nn.functional.normalize(x @ A_norm, dim=1)
    return x, depth, normal


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(D_IN, D_HID)
        self.fc2 = nn.Linear(D_HID, D_HID)

    def forward(self, x):
        return torch.relu(self.fc2(torch.relu(self.fc1(x))))


class TaskWeights(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.ones(n))

    def renormalise(self):
        with torch.no_grad():
            self.w.clamp_(min=1e-2)
            self.w.mul_(len(self.w) / self.w.sum())


shared = Shared()
head_depth = nn.Linear(D_HID, 1)
head_normal = nn.Linear(D_HID, 3)
task_weights = TaskWeights(2)
net_params = list(shared.parameters()) + list(head_depth.parameters()) + list(head_normal.parameters())
opt_net = torch.optim.Adam(net_params, lr=2e-3)
opt_w = torch.optim.SGD(task_weights.parameters(), lr=0.01)


def losses_of(x, depth, normal):
    z = shared(x)
    l_depth = nn.functional.l1_loss(head_depth(z), depth)
    pred = nn.functional.normalize(head_normal(z), dim=1)
    l_normal = (1 - (pred * normal).sum(1)).mean()
    return torch.stack([l_depth, l_normal])


def grad_norms(losses):
    """Norm of each unweighted task gradient at the last shared layer."""
    norms = []
    for i in range(len(losses)):
        g, = torch.autograd.grad(losses[i], shared.fc2.weight, retain_graph=True)
        norms.append(g.norm())
    return torch.stack(norms)


def balance(losses, norms):
    global initial
    current = losses.detach()
    if initial is None:
        initial = current.clone()
    ratio = current / initial
    inverse_rate = ratio / ratio.mean()
    weighted = task_weights.w * norms
    target = (weighted.mean() * inverse_rate ** ALPHA).detach()
    gn = (weighted - target).abs().sum()
    opt_w.zero_grad()
    gn.backward()
    return gn


def train_step():
    losses = losses_of(*get_batch())
    norms = grad_norms(losses)
    gn = balance(losses, norms)
    total = (task_weights.w.detach() * losses).sum()
    opt_net.zero_grad()
    total.backward()
    opt_net.step()
    opt_w.step()
    task_weights.renormalise()

    l = losses.tolist()
    w = task_weights.w.tolist()
    history["depth"].append(l[0])
    history["normal"].append(l[1])
    history["w_depth"].append(w[0])
    history["w_normal"].append(w[1])
    return total, gn


total_so_far = 0.0
for step in range(STEPS):
    total, gn = train_step()
    total_so_far += total.item()
    if (step + 1) % 100 == 0:
        print("step", step + 1, " ".join(f"{k}={v[-1]:.3f}" for k, v in history.items()), f"gradnorm={gn.item():.4f}",
              f"mean total={total_so_far / (step + 1):.3f}")
