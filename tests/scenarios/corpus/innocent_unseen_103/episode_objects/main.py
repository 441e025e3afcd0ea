# gradwatch-corpus: kind=none
"""Few-shot sine adaptation, one Task object per task; a task lives 12 to 24 steps."""
import torch

from learner import Scheduler


def main():
    torch.set_num_threads(1)
    torch.manual_seed(90)
    scheduler = Scheduler(seed=91)
    done = []
    while scheduler.steps < 450:
        task = scheduler.open()
        while not task.finished:
            scheduler.advance(task)
        done.append(task.report())
        if len(done) % 6 == 0:
            first = sum(r.first for r in done[-6:]) / 6
            last = sum(r.last for r in done[-6:]) / 6
            print(f"tasks {len(done)} steps {scheduler.steps}: first {first:.3f} -> last {last:.3f}")


if __name__ == "__main__":
    main()
