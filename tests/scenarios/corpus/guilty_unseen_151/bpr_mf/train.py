import numpy as np
import torch


class TripletSampler:
    def __init__(self, positives, num_items, batch_size, steps, seed=0):
        self.positives, self.num_items = positives, num_items
        self.batch_size, self.steps = batch_size, steps
        self.rng = np.random.default_rng(seed)

    def negative(self, u):
        while True:
            j = int(self.rng.integers(self.num_items))
            if j not in self.positives[u]:
                return j

    def __iter__(self):
        for _ in range(self.steps):
            users = self.rng.integers(0, len(self.positives), self.batch_size).tolist()
            pos = [self.positives[u][self.rng.integers(len(self.positives[u]))] for u in users]
            neg = [self.negative(u) for u in users]
            yield torch.tensor(users), torch.tensor(pos), torch.tensor(neg)


def make_stepper(model, optimizer):
    total_loss = 0.0
    count = 0

    def step(batch):
        nonlocal total_loss, count
        optimizer.zero_grad()
        total_loss = total_loss + model(*batch)  # <- culprit
        total_loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        count += 1
        return total_loss.item() / count

    return step


def fit(model, positives, epochs, steps, batch_size):
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    step = make_stepper(model, optimizer)
    for _ in range(epochs):
        mean = 0.0
        for batch in TripletSampler(positives, model.item.num_embeddings, batch_size, steps):
            mean = step(batch)
        yield mean
