# gradwatch-corpus: kind=none
"""Knowledge distillation, ported from our Keras code (compile / fit / callbacks stay as they were)."""
import torch
import torch.nn as nn

from keras_like import Callback, CSVLike, Distiller, EarlyPlateau


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def spirals(n, classes=3, gen=None):
    y = torch.randint(classes, (n,), generator=gen)
    t = torch.rand(n, generator=gen)
    a = 4 * t + y * 2 * torch.pi / classes
    return torch.stack([t * a.cos(), t * a.sin()], 1) + 0.03 * torch.randn(n, 2, generator=gen), y


def pretrain(teacher, x, y, steps=150):
    opt = torch.optim.Adam(teacher.parameters(), lr=1e-2)
    for _ in range(steps):
        opt.zero_grad()
        nn.functional.cross_entropy(teacher(x), y).backward()
        opt.step()
    with torch.no_grad():
        print(f"teacher accuracy {(teacher(x).argmax(1) == y).float().mean().item():.3f}")


class WorstBatch(Callback):
    """Keeps the batch with the highest loss of the epoch."""

    def on_epoch_begin(self, epoch, logs):
        self.worst = (float("-inf"), None)

    def on_batch_end(self, batch, logs):
        if (loss := logs["loss"]) > self.worst[0]:
            self.worst = (loss, batch)

    def on_epoch_end(self, epoch, logs):
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: worst batch {self.worst[1]} with loss {self.worst[0]:.3f}")


def main(epochs=20):
    torch.manual_seed(66)
    gen = torch.Generator().manual_seed(67)
    x, y = spirals(640, gen=gen)
    teacher, student = mlp(2, 64, 64, 3), mlp(2, 32, 3)
    pretrain(teacher, x, y)

    model = Distiller(student, teacher)
    model.compile(optimizer=torch.optim.Adam(student.parameters(), lr=1e-2), alpha=0.3, temperature=3.0)
    history = model.fit(x, y, batch_size=64, epochs=epochs, callbacks=[WorstBatch(), CSVLike(every=5), EarlyPlateau()])
    print({k: [round(v, 3) for v in vs[-3:]] for k, vs in history.items()})
    print("student:", {k: round(v, 3) for k, v in model.evaluate(x, y).items()})


if __name__ == "__main__":
    main()
