# gradwatch-corpus: kind=none
import torch

from melodies import melody_stream
from memory_transformer import MemoryTransformer
from train import train, perplexity

SEG_LEN = 16
BATCH = 8
MEM_LEN = 24
STEPS = 100


def main():
    torch.manual_seed(88)
    torch.set_num_threads(1)
    train_stream = melody_stream(BATCH, SEG_LEN * (STEPS + 1) + 1, seed=1)
    valid_stream = melody_stream(BATCH, SEG_LEN * 6 + 1, seed=2)

    model = MemoryTransformer(n_tokens=24, d_model=32, n_head=4, n_layer=2, mem_len=MEM_LEN)
    print("number of parameters:", sum(p.numel() for p in model.parameters()))
    print("valid ppl before: %.2f" % perplexity(model, valid_stream, SEG_LEN))
    train(model, train_stream, SEG_LEN, STEPS, lr=2e-3)
    print("valid ppl after: %.2f" % perplexity(model, valid_stream, SEG_LEN))


if __name__ == "__main__":
    main()
