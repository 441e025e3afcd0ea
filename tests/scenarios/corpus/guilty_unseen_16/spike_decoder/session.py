import torch
import torch.nn.functional as F

from scoring import SilentUnits, fano_factor


class DecodingSession:
    def __init__(self, net, population, lr, batch):
        self.net, self.population, self.batch = net, population, batch
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.iteration = 0
        self.fano = float("nan")
        self.skipped = []

    def train(self, iterations):
        for _ in range(iterations):
            value = self.update()
            self.iteration += 1
            if self.iteration % 55 == 0:
                print(f"{self.iteration:4d}  loss {value:.3f}  fano {self.fano:.3f}  "
                      f"skipped {len(self.skipped)}")

    def update(self):
        spikes, label = self.population.trials(self.batch)
        logits, counts = self.net(spikes)
        loss = F.cross_entropy(logits, label) + 1e-3 * counts.mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.log_variability(counts)
        return loss.item()

    def log_variability(self, counts):
        try:
            self.fano = fano_factor(counts)
        except SilentUnits as err:
            self.skipped.append((self.iteration, err))  # <- culprit

    @torch.no_grad()
    def evaluate(self, trials):
        spikes, label = self.population.trials(trials)
        logits, _ = self.net(spikes)
        return (logits.argmax(1) == label).float().mean().item()
