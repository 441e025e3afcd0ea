# gradwatch-corpus: kind=crashed
# holder: temperature
# first-bad: 180
# notice: 0
"""Triage classifier on tabular vitals + temperature scaling (Guo et al. 2017) on the held-out part."""
import torch
torch.set_num_threads(1)
from torch import nn, optim
from torch.utils.data import TensorDataset, DataLoader, random_split


class ModelWithTemperature(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.temperature = nn.Parameter(torch.ones(1) * 1.5)

    def forward(self, x):
        return self.temperature_scale(self.model(x))

    def temperature_scale(self, logits):
        temperature = max(self.temperature.item(), 1e-3)  # <- culprit
        return logits / temperature

    def set_temperature(self, valid_loader):
        nll_criterion = nn.CrossEntropyLoss()
        logits_list, labels_list = [], []
        with torch.no_grad():
            for x, label in valid_loader:
                logits_list.append(self.model(x))
                labels_list.append(label)
        logits, labels = torch.cat(logits_list), torch.cat(labels_list)
        print("Before temperature - NLL: %.3f" % nll_criterion(logits, labels).item())
        optimizer = optim.LBFGS([self.temperature], lr=0.01, max_iter=50)

        def closure():
            optimizer.zero_grad()
            loss = nll_criterion(self.temperature_scale(logits), labels)
            loss.backward()
            return loss

        for _ in range(200):
            optimizer.step(closure)
        print("Optimal temperature: %.3f" % self.temperature.item())
        return self


def vitals(n=800):
    x = torch.randn(n, 7)
    sev = x[:, 0] * 1.5 - x[:, 3] + 0.5 * x[:, 5] * x[:, 1] + 0.5 * torch.randn(n)
    return TensorDataset(x, torch.bucketize(sev, torch.tensor([-1.0, 1.0])))


def main():
    torch.manual_seed(17)
    train_set, valid_set = random_split(vitals(), [720, 80])
    net = nn.Sequential(nn.Linear(7, 32), nn.ReLU(), nn.BatchNorm1d(32), nn.Linear(32, 3))
    opt = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for _ in range(6):
        net.train()
        for x, y in DataLoader(train_set, batch_size=24, shuffle=True):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
    net.eval()
    ModelWithTemperature(net).set_temperature(DataLoader(valid_set, batch_size=40))


if __name__ == "__main__":
    main()
