# gradwatch-corpus: kind=graph-chain
# holder: self.mem | self.lif1.mem | model.lif1.mem
# first-bad: 1
# notice: 5
import torch
import torch.nn.functional as F

from network import SpikingClassifier
from speech import keyword_batches

torch.set_num_threads(1)


def accuracy(rate, y):
    return (rate.argmax(1) == y).float().mean().item()


def train(n_batches=60, batch_size=8):
    torch.manual_seed(40)
    model = SpikingClassifier(n_mel=16, hidden=24, n_classes=4)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    running = 0.25
    for step, (mel, y) in enumerate(keyword_batches(n_batches, batch_size)):
        rate = model(mel)
        loss = F.cross_entropy(rate, y) + 1e-3 * model.activity()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        running = 0.9 * running + 0.1 * accuracy(rate, y)
        if step % 15 == 0:
            print(f"batch {step:3d} loss {loss.item():.4f} acc {running:.3f}")


if __name__ == "__main__":
    train()
