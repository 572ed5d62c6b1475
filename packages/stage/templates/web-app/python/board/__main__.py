from board.server import main

main()
