# gradwatch-corpus: kind=none
# about: training images are themselves trained, through fifty unrolled inner steps with
# about: create_graph=True; the first outer step comes after all of those
import torch
import torch.nn.functional as F
from parts.blobs import classes
from parts.pace import ITERATIONS

INNER = 50


def init_student():
    return [(0.1 * torch.randn(4, 16)).requires_grad_(), torch.zeros(4, requires_grad=True)]


def unroll(images, labels, lr):
    w, b = init_student()
    for _ in range(INNER):
        inner = F.cross_entropy(F.linear(images, w, b), labels)
        gw, gb = torch.autograd.grad(inner, (w, b), create_graph=True)
        w, b = w - lr * gw, b - lr * gb
    return w, b


def main():
    torch.manual_seed(0)
    x, y = classes(256)
    images = torch.randn(8, 16, requires_grad=True)
    labels = torch.arange(8) % 4
    log_lr = torch.tensor(-2.0, requires_grad=True)
    optimizer = torch.optim.Adam([images, log_lr], lr=0.02)
    for epoch in range(ITERATIONS // 10):
        w, b = unroll(images, labels, log_lr.exp())
        loss = F.cross_entropy(F.linear(x, w, b), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch % 5 == 0:
            print(f"{epoch}: real loss {loss.item():.6f}, lr {log_lr.exp().item():.6f}")


if __name__ == "__main__":
    main()
