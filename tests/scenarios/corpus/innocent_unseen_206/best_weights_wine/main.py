# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F
from keeper import BestKeeper, Ensemble
from model import QualityNet, cellar


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        pred = net(x)
        score = F.mse_loss(pred, y)
    net.train()
    return score, pred


def train_cycle(net, data, keeper, cycle, history, batches=30, epochs=12):
    (x, y), (vx, vy) = data
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, batches * epochs)
    for epoch in range(epochs):
        order = torch.randperm(len(x))
        running = torch.zeros(())
        for idx in order.chunk(batches):
            loss = F.mse_loss(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            running += loss.detach()
        score, pred = evaluate(net, vx, vy)
        history.append({"cycle": cycle, "epoch": epoch, "train": running / batches, "val": score})
        if keeper.update(score, net, pred):
            break
    return keeper.restore(net)


def main():
    torch.manual_seed(2)
    data = cellar(600, seed=2), cellar(200, seed=2, offset=1)
    net, ensemble, history = QualityNet(), Ensemble(limit=3), []
    for cycle in range(4):
        keeper = BestKeeper(patience=8)
        train_cycle(net, data, keeper, cycle, history)
        ensemble.add(net)
        vx, vy = data[1]
        joint = F.mse_loss(ensemble.predict(vx), vy).item()
        print(f"cycle {cycle}: best {keeper.best:.4f} ensemble {joint:.4f} after {len(history)} epochs")


if __name__ == "__main__":
    main()
