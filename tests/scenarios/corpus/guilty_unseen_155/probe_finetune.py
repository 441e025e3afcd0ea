# gradwatch-corpus: kind=grads-accumulate
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(6)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())

    def forward(self, x):
        return self.net(x)


class Classifier(nn.Module):
    def __init__(self, n_cls=3):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(16, n_cls)

    def forward(self, x):
        return self.head(self.encoder(x))


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("freq", torch.tensor([1.0, 2.0, 4.0]))

    @torch.no_grad()
    def forward(self, x):
        t = torch.linspace(0, 6.2832, x.size(-1))
        basis = torch.sin(self.freq[:, None] * t)
        return (x.squeeze(1) @ basis.T).abs() / 4


def build_data(n=640, length=32):
    y = torch.randint(0, 3, (n,))
    t = torch.linspace(0, 6.2832, length)
    x = torch.sin(2.0 ** y[:, None] * t) + 0.4 * torch.randn(n, length)
    return TensorDataset(x[:, None], y)


class Distillation:
    def __init__(self, student, teacher, alpha=0.5):
        self.student, self.teacher, self.alpha = student, teacher, alpha
        self.head_params = list(student.head.parameters())
        self.opt = torch.optim.SGD([
            {"params": student.encoder.parameters(), "lr": 1e-3},
            {"params": self.head_params, "lr": 1e-2}])

    def clear(self):
        self.student.head.zero_grad()  # <- culprit

    def loss(self, x, y):
        out = self.student(x)
        soft = F.kl_div(F.log_softmax(out, 1), F.softmax(self.teacher(x), 1), reduction="batchmean")
        return self.alpha * F.cross_entropy(out, y) + (1 - self.alpha) * soft

    def step(self, x, y):
        self.clear()  # <- culprit
        loss = self.loss(x, y)
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    job = Distillation(Classifier(), Teacher())
    loader = DataLoader(build_data(), batch_size=32, shuffle=True)
    for epoch in range(4):
        mean = sum(job.step(x, y) for x, y in loader) / len(loader)
        print(f"epoch {epoch}: {mean:.4f}")


if __name__ == "__main__":
    main()
