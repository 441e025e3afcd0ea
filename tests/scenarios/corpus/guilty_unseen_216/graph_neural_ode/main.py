# gradwatch-corpus: kind=second-backward
# holder: self.adj | model.func.adj | self.func.adj | func.adj
# first-bad: 1
import torch

from data import HeatOnGraph
from model import GraphODE

EPOCHS = 100


def main():
    torch.manual_seed(8)
    data = HeatOnGraph(nodes=20, seed=8)
    model = GraphODE(nodes=20, channels=12, steps=6, method="rk4")
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 40, 0.5)
    for epoch in range(EPOCHS):
        x0, x1 = data.sample(16)
        pred = model(x0)
        loss = torch.nn.functional.mse_loss(pred, x1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        if epoch % 10 == 0:
            print("Epoch {:03d} | loss {:.6f} | lr {:.4f}".format(epoch, loss.item(), scheduler.get_last_lr()[0]))


if __name__ == "__main__":
    main()
