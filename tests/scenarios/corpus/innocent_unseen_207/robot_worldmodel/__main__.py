# gradwatch-corpus: kind=none
from .trainer import WorldModelTrainer

if __name__ == "__main__":
    WorldModelTrainer(window=12).train(steps=5040)
