# gradwatch-corpus: kind=none
import torch

from keepers import Leaderboard, Milestones
from molecules import PropertyNet, make_batch


def fit(steps=330):
    net = PropertyNet()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    board, miles = Leaderboard(limit=5), Milestones()
    for step in range(steps):
        atoms, adj, target = make_batch()
        pred = net(atoms, adj)
        loss = torch.nn.functional.huber_loss(pred, target)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        board.submit(step, loss, pred)
        miles.see(step, loss, pred)
        if step % 110 == 109:
            print(step + 1, board, miles)
    return board, miles


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(64)
    board, miles = fit()
    print("gain since first:", round((miles.first[1] - miles.best[1]).item(), 4), "curve points:", len(miles.curve))
