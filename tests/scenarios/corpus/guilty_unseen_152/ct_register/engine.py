"""Common part of the registration engines."""
import torch


class RegistrationEngine:
    def __init__(self, lr, iterations):
        self.lr = lr
        self.iterations = iterations
        self.objective = torch.zeros(())
        self.trace = []

    def parameters(self):
        raise NotImplementedError

    def dissimilarity(self, fixed, moving):
        raise NotImplementedError

    def update(self, pair):
        self.optimizer.zero_grad()
        term = self.dissimilarity(*pair)
        self.objective = self.objective + term  # <- culprit
        self.objective.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        self.trace.append(term.item())

    def register(self, pairs):
        self.optimizer = torch.optim.Adam(self.parameters(), lr=self.lr)
        for it in range(self.iterations):
            self.update(pairs[it % len(pairs)])
            if it % 20 == 19:
                print(f"iter {it + 1:3d}  ssd {sum(self.trace[-5:]) / 5:.5f}")
        return self.objective.item() / self.iterations
