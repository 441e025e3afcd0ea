# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from settings import S
from moco import MoCo, augment, make_pool


def knn_accuracy(encoder, x, y):
    with torch.no_grad():
        z = torch.nn.functional.normalize(encoder(x), dim=1)
    sim = z @ z.T - 2 * torch.eye(len(z))
    return (y[sim.argmax(1)] == y).float().mean().item()


def main():
    torch.manual_seed(S["seed"])
    x, y = make_pool(S["pool"], S["dim"])
    model = MoCo(S["dim"], S["embed"], S["queue"], S["momentum"], S["tau"])
    opt = torch.optim.SGD(model.q.parameters(), lr=S["lr"], momentum=0.9, weight_decay=1e-4)
    losses = []
    for step in range(S["steps"]):
        idx = torch.randint(0, len(x), (S["batch"],))
        loss = model(augment(x[idx]), augment(x[idx]))
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.advance()
        losses.append(loss.item())
        if (step + 1) % S["report"] == 0:
            print(f"{step + 1} infoNCE {sum(losses[-S['report']:]) / S['report']:.3f} 1-nn {knn_accuracy(model.q, x, y):.3f}")


main()
