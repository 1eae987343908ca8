"""Small programs that run on real Paddle and on minipaddle, compared answer by answer."""
