# gradwatch-corpus: kind=second-backward
# holder: self.state | trainer.state
# first-bad: 1
import torch

from prices import load_prices, scale, sequential_batches
from net import PriceLSTM
from trainer import Trainer

LOOK_BACK = 20
BATCH = 8
HIDDEN = 32
EPOCHS = 3


def main():
    torch.manual_seed(5)
    torch.set_num_threads(1)

    prices = load_prices(n=1200, seed=5)
    values, lo, hi = scale(prices)
    split = int(len(values) * 0.8)
    train_batches = sequential_batches(values[:split], LOOK_BACK, BATCH)
    test_batches = sequential_batches(values[split:], LOOK_BACK, BATCH)
    print("train batches", len(train_batches), "test batches", len(test_batches))

    model = PriceLSTM(hidden_size=HIDDEN, num_layers=1)
    trainer = Trainer(model, lr=3e-3)
    for epoch in range(EPOCHS):
        train_loss = trainer.fit_epoch(train_batches)
        test_loss = trainer.evaluate(test_batches)
        rmse = test_loss ** 0.5 * (hi - lo)
        print("Epoch: %d, train loss: %1.5f, test rmse: %.3f" % (epoch, train_loss, rmse))


if __name__ == "__main__":
    main()
