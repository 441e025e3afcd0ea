# gradwatch-corpus: kind=none
import torch

from board import TaskBoard
from tasks import TASKS, sample
from trunk import SharedTrunk, task_loss

STEPS = 420


def train():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    model = SharedTrunk(in_dim=10, width=32, tasks=TASKS)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    board = TaskBoard(TASKS, window=5)
    for step in range(STEPS):
        task = TASKS[step % len(TASKS)]
        x, y = sample(task)
        out = model(x, task)
        loss = board.weight(task) * task_loss(task, out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        board.post(task, step=step, loss=loss, logit_scale=out.abs().mean())
        if step % 105 == 104:
            print(step + 1, board.render())
    print("steps seen per task:", {t: len(h) for t, h in board.history.items()})


if __name__ == "__main__":
    train()
