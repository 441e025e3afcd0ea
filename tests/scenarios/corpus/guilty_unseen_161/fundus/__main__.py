# gradwatch-corpus: kind=second-backward
# first-bad: 0
# notice: 0
from .engine import MultiTaskTrainer, TrainConfig

if __name__ == "__main__":
    trainer = MultiTaskTrainer(TrainConfig(steps=70, batch=6))
    trainer.run()
