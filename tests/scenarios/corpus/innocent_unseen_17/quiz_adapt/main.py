# gradwatch-corpus: kind=none
"""Meta-learned quiz difficulty model: adapts to a new class of pupils within two gradient steps, with learned step
sizes for each layer (Meta-SGD)."""
import torch

from adapt import InnerLoop
from classes import ClassroomSource
from journal import HardestClasses, Journal
from model import AnswerModel, answer_loss

META_STEPS = 220
CLASSES_PER_STEP = 2


def meta_step(model, inner, source, hardest):
    """Mean query loss over a few classrooms, all adapted from the same weights."""
    total = 0
    for _ in range(CLASSES_PER_STEP):
        room = source.classroom()
        adapted = inner.adapt(room.support)
        query_loss = answer_loss(inner.predict(adapted, room.query.x), room.query.y)
        hardest.offer(query_loss, room)
        total = total + query_loss
    return total / CLASSES_PER_STEP


@torch.no_grad()
def check_unadapted(model, source):
    query = source.classroom().query
    return answer_loss(model(query.x), query.y).item()


def main():
    torch.manual_seed(123)
    source = ClassroomSource(seed=7)
    model = AnswerModel(source.features)
    inner = InnerLoop(model, steps=2)
    optimizer = torch.optim.Adam(
        [{"params": model.parameters(), "lr": 2e-3}, {"params": inner.log_rates.parameters(), "lr": 1e-2}]
    )
    journal, hardest = Journal(), HardestClasses(keep=5)

    for step in range(META_STEPS):
        optimizer.zero_grad()
        loss = meta_step(model, inner, source, hardest)
        loss.backward()
        optimizer.step()
        journal.write(loss=loss, rate=inner.mean_rate())
        if step % 20 == 19:
            journal.write(unadapted=check_unadapted(model, source))
        if step % 55 == 54:
            print(f"meta step {step + 1:4d}  {journal.line(last=20)}")

    print("hardest classrooms:", hardest.describe())


if __name__ == "__main__":
    main()
