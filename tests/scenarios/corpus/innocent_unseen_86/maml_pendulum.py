# gradwatch-corpus: kind=none
# Meta-learn the angular acceleration of pendulums of different length and damping.
import torch
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(55)


class Task:
    def __init__(self):
        self.g_over_l = torch.empty(1).uniform_(0.5, 3.0)
        self.damp = torch.empty(1).uniform_(0.0, 0.8)

    def points(self, n):
        th = torch.empty(n, 1).uniform_(-3, 3)
        om = torch.empty(n, 1).uniform_(-2, 2)
        acc = -self.g_over_l * th.sin() - self.damp * om
        return torch.cat([th, om], 1), acc


class Accel(torch.nn.Module):
    def __init__(self, w=24):
        super().__init__()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(2, w), torch.nn.Tanh(), torch.nn.Linear(w, w), torch.nn.Tanh(), torch.nn.Linear(w, 1)
        )
        self.log_lr = torch.nn.Parameter(torch.tensor(-3.0))

    def forward(self, x):
        return self.net(x)


class MetaLearner:
    def __init__(self, inner_steps=2, tasks=2, shots=10):
        self.model = Accel()
        self.inner_steps, self.tasks, self.shots = inner_steps, tasks, shots
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.fast = None
        self.curve = []
        self.adapted = {}

    def adapt(self, task):
        self.fast = {k: v for k, v in self.model.named_parameters() if k != "log_lr"}
        x, y = task.points(self.shots)
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.model, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            lr = self.model.log_lr.exp()
            self.fast = {k: p - lr * g for (k, p), g in zip(self.fast.items(), grads)}
        return self.fast

    def outer_step(self, it):
        total = 0.0
        for slot in range(self.tasks):
            task = Task()
            fast = self.adapt(task)
            self.adapted[slot] = fast  # latest weights of each slot
            xq, yq = task.points(16)
            total = total + F.mse_loss(functional_call(self.model, fast, (xq,)), yq)
        loss = total / self.tasks
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.curve.append(float(loss.detach()))
        if it % 75 == 0:
            spread = sum((a - b).pow(2).sum() for a, b in zip(self.adapted[0].values(), self.adapted[1].values()))
            print(f"{it:4d} query {self.curve[-1]:.4f} lr {self.model.log_lr.exp().item():.4f} "
                  f"spread {spread.item():.4f}")

    def run(self, n):
        for it in range(n):
            self.outer_step(it)
        return sum(self.curve[-30:]) / 30


if __name__ == "__main__":
    print("final", MetaLearner().run(310))
