import torch

from data import all_characters, char_tensor


@torch.no_grad()
def generate(decoder, prime_str, predict_len, temperature=0.8):
    hidden = decoder.init_hidden()
    prime = char_tensor(prime_str)
    predicted = prime_str
    for p in range(len(prime_str) - 1):
        _, hidden = decoder(prime[p], hidden)
    inp = prime[-1]
    for p in range(predict_len):
        output, hidden = decoder(inp, hidden)
        dist = torch.softmax(output.view(-1) / temperature, 0)
        top = torch.multinomial(dist, 1)[0]
        predicted += all_characters[top]
        inp = top
    return predicted
